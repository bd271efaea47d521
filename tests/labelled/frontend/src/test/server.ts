import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll } from "vitest";

export const trees = [
  { id: 1, name: "Old Anna", variety: "Antonovka" },
  { id: 2, name: "Twin", variety: "Gravenstein" },
];

export const server = setupServer(
  http.get("/api/orchards/:id/trees", () => HttpResponse.json(trees)),
  http.post("/api/trees/:id/water", () => new HttpResponse(null, { status: 204 })),
  http.post("/api/session", () => HttpResponse.json({ id: 7, name: "Tester" })),
);

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());
