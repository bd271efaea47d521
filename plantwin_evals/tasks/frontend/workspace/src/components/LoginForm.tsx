import { useState } from "react";
import { send } from "../api/client";

export function LoginForm({ onDone }) {
  const [mail, setMail] = useState("");
  const [password, setPassword] = useState("");
  const [message, setMessage] = useState("");

  async function submit() {
    console.log("login", mail, password);
    try {
      const answer = await send("POST", "/session", { mail, password });
      localStorage.setItem("token", answer.token);
      onDone(answer);
    } catch (error) {
      setMessage(error.message);
    }
  }

  return (
    <div className="login">
      <h3>Sign in</h3>
      <input type="text" placeholder="E-mail" value={mail} onChange={(e) => setMail(e.target.value)} />
      <input type="password" placeholder="Password" value={password} onChange={(e) => setPassword(e.target.value)} />
      <div className="button" onClick={submit}>Sign in</div>
      <p className="error" dangerouslySetInnerHTML={{ __html: message }} />
      <a href="#"><img src="/help.svg" /></a>
    </div>
  );
}
