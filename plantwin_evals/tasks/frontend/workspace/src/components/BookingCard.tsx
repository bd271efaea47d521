import { money, shortDate } from "../utils/format.mjs";

export type Booking = {
  reference: string;
  traveller: string;
  carrier: string;
  departs: string;
  price: number;
};

export function BookingCard({ booking, onOpen }: { booking: Booking; onOpen: (reference: string) => void }) {
  return (
    <article className="card">
      <h2>{booking.traveller}</h2>
      <p>{booking.carrier}, {shortDate(booking.departs)}</p>
      <p>{money(booking.price)}</p>
      <button type="button" onClick={() => onOpen(booking.reference)}>
        Open booking {booking.reference}
      </button>
    </article>
  );
}
