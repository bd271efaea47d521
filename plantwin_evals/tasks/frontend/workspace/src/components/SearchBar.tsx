import { useEffect, useState } from "react";
import _ from "lodash";
import { send } from "../api/client";
import { BookingCard } from "./BookingCard";

export function SearchBar() {
  const [query, setQuery] = useState("");
  const [found, setFound] = useState([]);

  useEffect(() => {
    const later = _.debounce(async () => setFound(await send("GET", "/bookings?q=" + query)), 200);
    later();
  }, [query]);

  return (
    <form role="search">
      <label htmlFor="query">Where to?</label>
      <input id="query" value={query} onChange={(e) => setQuery(e.target.value)} />
      {found.map((each) => (
        <BookingCard booking={each} onOpen={() => (window.location.href = "/b/" + query)} />
      ))}
    </form>
  );
}
