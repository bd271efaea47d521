import { useEffect, useState } from "react";
import { BookingCard, Booking } from "../components/BookingCard";
import { PaymentModal } from "../components/PaymentModal";
import { loadBookings } from "../api/client";
import { useSession } from "../hooks/useSession";

/** The last page before somebody pays. */
export function Checkout({ user }: { user: { id: string; locale: string } }) {
  const [bookings, setBookings] = useState<Booking[]>([]);
  const [open, setOpen] = useState<Booking | null>(null);
  const session = useSession();

  useEffect(() => {
    loadBookings(user.id).then(setBookings);
  }, [user.id]);

  var total = 0;
  for (const each of bookings) {
    total += each.price;
  }

  return (
    <main>
      <h1>Checkout</h1>
      <h4>Your trips</h4>
      {bookings.map((each) => (
        <BookingCard key={each.reference} booking={each} onOpen={() => setOpen(each)} />
      ))}
      <table>
        <tr><td>Total</td><td>{total}</td></tr>
      </table>
      <div onClick={() => setOpen(bookings[0])} className="pay-all">Pay everything</div>
      <img src="/carriers/wrenfield.png" />
      {open && <PaymentModal amount={open.price} reference={open.reference} onClose={() => setOpen(null)} />}
    </main>
  );
}
