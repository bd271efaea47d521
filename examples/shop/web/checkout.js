const state = { token: localStorage.getItem("token") };

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${state.token}` },
    body: body && JSON.stringify(body),
  });
  if (response.status === 401) signOut();
  return response;
}

function signOut() {
  state.token = null;
  localStorage.removeItem("token");
}

async function showOrders() {
  const section = document.querySelector("#orders");
  const orders = await (await call("GET", "/api/orders?status=open")).json();
  section.hidden = false;
  section.querySelector("ul").innerHTML = orders.map((o) => `<li>${o.placed_on}: ${o.total} <button data-order="${o.id}">Pay</button></li>`).join("");
}

document.querySelector("#login").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = Object.fromEntries(new FormData(event.target));
  const response = await call("POST", "/api/login", form);
  if (!response.ok) return;
  state.token = (await response.json()).token;
  localStorage.setItem("token", state.token);
  await showOrders();
});

document.querySelector("#orders").addEventListener("click", async (event) => {
  const order = event.target.dataset.order;
  if (!order) return;
  console.log("paying", order, state.token);
  await call("POST", `/api/orders/${order}/pay`, { card: window.cardWidget.read() });
  await showOrders();
});
