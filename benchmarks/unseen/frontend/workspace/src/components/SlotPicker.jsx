import React, { useEffect, useState } from "react";
import { parseDay, addDays, formatDay } from "../utils/dates.js";
import { loadSlots } from "../api/client.js";

export default function SlotPicker({ pool, day, onPick }) {
  const [slots, setSlots] = useState([]);
  const [shift, setShift] = useState(0);

  useEffect(() => {
    const wanted = formatDay(addDays(parseDay(day), shift));
    loadSlots(pool, wanted).then(setSlots);
  }, [pool, day]);

  function move(by) {
    setShift(shift + by);
  }

  return (
    <div>
      <i className="icon-left" onClick={() => move(-1)} />
      <i className="icon-right" onClick={() => move(1)} />
      <ul>
        {slots.map((slot) => (
          <li onClick={() => onPick(slot)} className={slot.free > 0 ? "green" : "red"}>
            {slot.from} - {slot.to}
          </li>
        ))}
      </ul>
    </div>
  );
}
