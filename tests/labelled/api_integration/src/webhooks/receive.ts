import { createHmac, timingSafeEqual } from "node:crypto";

import express, { Request, Response } from "express";

import { queue } from "../queue.js";

const MAX_AGE_MS = 5 * 60 * 1000;

export function signatureMatches(raw: Buffer, header: string, secret: string): boolean {
  const [stamp, given] = header.split(",");
  if (!stamp || !given || Date.now() - Number(stamp) > MAX_AGE_MS) return false;
  const wanted = createHmac("sha256", secret).update(`${stamp}.`).update(raw).digest();
  const presented = Buffer.from(given, "hex");
  return presented.length === wanted.length && timingSafeEqual(presented, wanted);
}

export const webhooks = express.Router();

webhooks.post("/courier", express.raw({ type: "application/json" }), async (req: Request, res: Response) => {
  if (!signatureMatches(req.body, req.get("x-signature") ?? "", process.env.COURIER_WEBHOOK_SECRET!)) {
    res.sendStatus(401);
    return;
  }
  const event = JSON.parse(req.body.toString("utf8"));
  await queue.add("courier-event", event, { jobId: event.id, attempts: 5 });
  res.sendStatus(202);
});
