// What the app calls. Version 1 of the API.
const BASE = "https://api.voltmere.example/v1";

export interface SessionStart {
  point: string;
  card: string;
  max_kwh?: number;
  note?: string;
}

export interface Tariff {
  point: string;
  price: number; // cents
}

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(BASE + path, init);
  if (!answer.ok) throw new Error(path + " " + answer.status);
  return answer.json();
}

export async function listSessions(limit = 50) {
  return call("/sessions?limit=" + limit);
}

export async function startCharging(message: SessionStart) {
  const answer = await fetch(BASE + "/sessions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(message),
  });
  if (answer.status !== 201) throw new Error("could not start: " + answer.status);
  return answer.json();
}

export async function stopCharging(id: string) {
  return call("/sessions/" + id + "/stop", { method: "POST" });
}

export async function priceText(point: string) {
  const tariff: Tariff = await call("/tariffs/" + point);
  return (tariff.price / 100).toFixed(2) + " EUR/kWh";
}
