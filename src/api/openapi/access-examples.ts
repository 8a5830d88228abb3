export const AVAILABILITY_EXAMPLE = { order_ids: ["5001", "5002"] };

export const AVAILABILITY_ANSWER_EXAMPLE = {
  items: [
    { order_id: "5001", state: "available" },
    { order_id: "5002", state: "not_available" },
  ],
};

export const ACCESS_EXAMPLE = { order_id: "5001", presentation: "embed", origin: "https://tienda.example" };

export const ACCESS_ANSWER_EXAMPLE = {
  state: "available",
  viewer_url: "https://api.example/v/5kQ2…",
  expires_at: "2026-11-27T11:00:00Z",
};
