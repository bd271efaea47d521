import { lazy } from "react";
import { createBrowserRouter, redirect } from "react-router-dom";

import { Shell } from "./components/Shell";
import { useSession } from "./state/session";

const Trees = lazy(() => import("./pages/Trees"));
const Tree = lazy(() => import("./pages/Tree"));
const SignIn = lazy(() => import("./pages/SignIn"));

function requireUser() {
  return useSession.getState().user ? null : redirect("/signin");
}

export const router = createBrowserRouter([
  { path: "/signin", element: <SignIn /> },
  {
    path: "/",
    element: <Shell />,
    loader: requireUser,
    children: [
      { index: true, loader: () => redirect("/trees") },
      { path: "trees", element: <Trees /> },
      { path: "trees/:id", element: <Tree /> },
    ],
  },
]);
