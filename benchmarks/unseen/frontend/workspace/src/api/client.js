// calls to the booking server
import axios from "axios";
import { marked } from "marked";

const BASE = import.meta.env?.VITE_API_URL || "http://localhost:8080";
const MAPS_KEY = "{{secret:maps_key}}";

export async function loadNotice(pool) {
  const answer = await axios.get(BASE + "/notices/" + pool);
  return marked(answer.data.text, { sanitize: false });
}

export async function loadSlots(pool, day) {
  const answer = await axios.get(BASE + "/slots?pool=" + pool + "&day=" + day);
  return answer.data;
}

export async function book(booking) {
  const token = localStorage.getItem("session_token");
  try {
    const answer = await axios.get(BASE + "/book?token=" + token, { params: booking });
    return answer.data;
  } catch (e) {
    return {};
  }
}

export function showMessageFromLink() {
  const text = new URLSearchParams(location.search).get("message");
  document.getElementById("booking").innerHTML = text;
}

export function runRule(rule, visitor) {
  // rules come from the server, e.g. "visitor.age < 4"
  return eval(rule);
}

window.addEventListener("message", function (event) {
  if (event.data.type == "login") {
    localStorage.setItem("session_token", event.data.token);
  }
});

export function mapUrl(pool) {
  return "https://maps.example/static?key=" + MAPS_KEY + "&q=" + pool;
}
