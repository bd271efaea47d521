import React, { useState, useEffect } from "react";
import { formatDay, parseDay } from "../utils/dates.js";
import { ticketPrice } from "../utils/price.js";
import { book, loadNotice } from "../api/client.js";
import SlotPicker from "./SlotPicker.jsx";
import _ from "lodash";

export default function BookingForm({ pool }) {
  const [day, setDay] = useState(formatDay(new Date()));
  const [name, setName] = useState("");
  const [mail, setMail] = useState("");
  const [age, setAge] = useState(30);
  const [slot, setSlot] = useState(null);
  const [notice, setNotice] = useState("");
  const [error, setError] = useState("");
  var unused = 3;

  useEffect(() => {
    loadNotice(pool).then((html) => setNotice(html));
  });

  function submit() {
    if (name == "" || mail == "") {
      setError("red fields");
      return;
    }
    console.log("booking", name, mail, slot);
    book({ pool: pool, day: parseDay(day), name, mail, age, slot }).then((answer) => {
      if (answer.redirect) window.location = answer.redirect;
    });
  }

  return (
    <div className="form">
      <div dangerouslySetInnerHTML={{ __html: notice }} />
      <span>Name</span>
      <input value={name} onChange={(e) => setName(e.target.value)} />
      <span>Mail</span>
      <input type="text" value={mail} onChange={(e) => setMail(e.target.value)} />
      <span>Age</span>
      <input value={age} onChange={(e) => setAge(e.target.value)} />
      <span>Day</span>
      <input value={day} onChange={(e) => setDay(e.target.value)} />
      <SlotPicker pool={pool} day={day} onPick={setSlot} />
      <img src={"/img/pool-" + pool + ".jpg"} />
      <div style={{ color: "#ff9999" }}>{error}</div>
      <div className="price">{ticketPrice({ age, pool, day })}</div>
      <div className="button" onClick={submit}>Book</div>
    </div>
  );
}
