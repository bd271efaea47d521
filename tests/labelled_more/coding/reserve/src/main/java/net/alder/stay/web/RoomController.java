package net.alder.stay.web;

import jakarta.validation.Valid;
import java.net.URI;
import java.time.LocalDate;
import java.util.List;
import net.alder.stay.core.Rooms;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping("/v2/rooms")
class RoomController {

    private final Rooms rooms;

    RoomController(Rooms rooms) {
        this.rooms = rooms;
    }

    @GetMapping
    List<RoomView> free(
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate from,
            @RequestParam(defaultValue = "1") int nights) {
        return rooms.freeBetween(from, from.plusDays(nights)).stream().map(RoomView::of).toList();
    }

    @GetMapping("/{no}")
    ResponseEntity<RoomView> one(@PathVariable int no) {
        return rooms.byNumber(no).map(RoomView::of).map(ResponseEntity::ok)
                .orElseGet(() -> ResponseEntity.notFound().build());
    }

    @PostMapping("/{no}/holds")
    ResponseEntity<Void> hold(@PathVariable int no, @Valid @RequestBody HoldRequest body) {
        var id = rooms.hold(no, body.from(), body.to(), body.guests());
        return ResponseEntity.created(URI.create("/v2/holds/" + id)).build();
    }

    @ExceptionHandler(Rooms.AlreadyTaken.class)
    ResponseEntity<Problem> taken(Rooms.AlreadyTaken e) {
        return ResponseEntity.status(409).body(new Problem("taken", e.getMessage()));
    }
}
