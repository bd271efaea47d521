import { create } from "zustand";
import { persist } from "zustand/middleware";

interface Session {
  user: { id: number; name: string } | null;
  orchardId: number | null;
  signedIn: (user: { id: number; name: string }) => void;
  chooseOrchard: (id: number) => void;
  signedOut: () => void;
}

export const useSession = create<Session>()(
  persist(
    (set) => ({
      user: null,
      orchardId: null,
      signedIn: (user) => set({ user }),
      chooseOrchard: (orchardId) => set({ orchardId }),
      signedOut: () => set({ user: null, orchardId: null }),
    }),
    { name: "orchard-session" },
  ),
);
