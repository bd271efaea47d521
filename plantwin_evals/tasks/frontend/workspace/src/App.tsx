import { useState } from "react";
import { Checkout } from "./pages/Checkout";
import { LoginForm } from "./components/LoginForm";
import { SearchBar } from "./components/SearchBar";
import { useSession } from "./hooks/useSession";

export function App() {
  const session = useSession();
  const [page, setPage] = useState("search");
  if (!session.user) {
    return <LoginForm onDone={session.start} />;
  }
  return (
    <div>
      <div className="nav">
        <span onClick={() => setPage("search")}>Search</span>
        <span onClick={() => setPage("checkout")}>Checkout</span>
      </div>
      {page === "search" ? <SearchBar /> : <Checkout user={session.user} />}
    </div>
  );
}
