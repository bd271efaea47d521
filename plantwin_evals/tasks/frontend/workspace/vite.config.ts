import { defineConfig, loadEnv } from "vite";
import react from "@vitejs/plugin-react";

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), "");
  return {
    plugins: [react()],
    build: { sourcemap: true, target: "es2019" },
    server: { host: "0.0.0.0", port: 5173, proxy: { "/api": env.VITE_API_BASE } },
    // everything of the environment, so that support can see it in the console
    define: { __ENV__: JSON.stringify(env) },
  };
});
