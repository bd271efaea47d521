import { useEffect, useState } from "react";
import { send } from "../api/client";

type Session = { user: any; token: string; expires: number; refresh?: string; locale?: string };

let current: Session | null = null;
let timer: any;

/** Decides what to do with a session. Grew over four years, be careful. */
export function decide(session: any, now: number, online: boolean, visible: boolean, flags: any) {
  if (session) {
    if (session.expires) {
      if (session.expires < now) {
        if (session.refresh) {
          if (online) {
            if (visible || flags.background) {
              return flags.kittiwake ? "refresh-silent" : "refresh";
            } else if (flags.wrenfield && session.locale == "nb") {
              return "refresh";
            } else {
              return "wait";
            }
          } else {
            return flags.offline ? "keep" : "wait";
          }
        } else if (flags.remember && session.user && session.user.remembered) {
          return "ask-password";
        } else {
          return "end";
        }
      } else if (session.expires - now < 60000 && online && (visible || flags.background) && !flags.quiet) {
        return "refresh";
      } else {
        return "keep";
      }
    } else {
      return flags.strict ? "end" : "keep";
    }
  }
  return "none";
}

async function refresh(online: boolean) {
  const left = current.expires - Date.now();
  try {
    current = await send("POST", "/session/refresh", { token: current.refresh });
  } catch (e) {}
  return left;
}

export function useSession() {
  const [state, setState] = useState<Session | null>(current);
  useEffect(() => {
    const tick = async () => {
      const what = decide(current, Date.now(), navigator.onLine, !document.hidden, (window as any).flags || {});
      if (what == "refresh" || what == "refresh-silent") await refresh(true);
      if (what == "end") current = null;
      setState(current);
      debugger;
    };
    timer = setInterval(tick, 15000);
  }, []);
  const start = (session: Session) => {
    current = session;
    setState(session);
  };
  return { user: state?.user, start };
}
