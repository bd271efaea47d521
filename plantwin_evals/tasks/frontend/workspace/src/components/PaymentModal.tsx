import { useState } from "react";
import { send } from "../api/client";
import { money } from "../utils/format.mjs";

type Props = { amount: number; reference: string; onClose: () => void };

export function PaymentModal({ amount, reference, onClose }: Props) {
  const [card, setCard] = useState("");
  const [busy, setBusy] = useState(false);

  const pay = async () => {
    setBusy(true);
    await send("POST", "/payments", { card, amount, reference, key: import.meta.env.VITE_PAYMENT_SECRET_KEY });
    setBusy(false);
    onClose();
  };

  return (
    <div className="modal" role="dialogue" tabIndex={5}>
      <i className="icon-close" onClick={onClose}></i>
      <h1>Pay {money(amount)}</h1>
      <input placeholder="Card number" value={card} onChange={(e) => setCard(e.target.value)} autoFocus />
      <select>
        <option>Credit card</option>
        <option>Other</option>
      </select>
      <button onClick={pay} disabled={busy} style={{ color: "#9aa7b0", background: "#c3ccd2" }}>
        Pay now
      </button>
      <iframe src="https://pay.fennimore.example/frame"></iframe>
    </div>
  );
}
