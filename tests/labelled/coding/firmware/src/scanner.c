#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "bus.h"
#include "scanner.h"

#define POLL_MS 20u
#define MAX_FRAME 32u

static uint8_t frame[MAX_FRAME];
static size_t used;

static void flush_frame(void) {
    if (used == 0) return;
    bus_publish(TOPIC_SCAN, frame, used);
    memset(frame, 0, sizeof frame);
    used = 0;
}

void scanner_task(void *unused) {
    (void)unused;
    for (;;) {
        uint8_t byte;
        while (bus_read_byte(PORT_SCANNER, &byte)) {
            if (byte == '\r' || used == MAX_FRAME) {
                flush_frame();
                continue;
            }
            frame[used++] = byte;
        }
        task_sleep_ms(POLL_MS);
    }
}
