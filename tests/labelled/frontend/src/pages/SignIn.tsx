import { FormEvent, useState } from "react";
import { useNavigate } from "react-router-dom";

import { api } from "@/api/client";
import { useSession } from "@/state/session";

export default function SignIn() {
  const [error, setError] = useState<string>();
  const signedIn = useSession((s) => s.signedIn);
  const navigate = useNavigate();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const result = await api.post("/api/session", Object.fromEntries(form));
    if (!result.ok) {
      setError("Wrong address or password.");
      return;
    }
    signedIn(await result.json());
    navigate("/trees");
  }

  return (
    <form onSubmit={submit}>
      <h1>Sign in</h1>
      {error && <p role="alert">{error}</p>}
      <label>
        Email <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <button>Sign in</button>
      <a href="/forgot">Forgot your password?</a>
    </form>
  );
}
