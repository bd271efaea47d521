const R = 6371.0088;
const rad = (d: number) => (d * Math.PI) / 180;

export function km(a: [number, number], b: [number, number]): number {
  const dy = rad(b[0] - a[0]);
  const dx = rad(b[1] - a[1]);
  const h = Math.sin(dy / 2) ** 2 + Math.cos(rad(a[0])) * Math.cos(rad(b[0])) * Math.sin(dx / 2) ** 2;
  return 2 * R * Math.asin(Math.sqrt(h));
}

export function debounce<A extends unknown[]>(f: (...a: A) => void, ms = 200) {
  let t: ReturnType<typeof setTimeout>;
  return (...a: A) => {
    clearTimeout(t);
    t = setTimeout(() => f(...a), ms);
  };
}

export const clamp = (v: number, lo: number, hi: number) => Math.min(Math.max(v, lo), hi);

export function chunk<T>(xs: T[], n: number): T[][] {
  return Array.from({ length: Math.ceil(xs.length / n) }, (_, i) => xs.slice(i * n, i * n + n));
}
