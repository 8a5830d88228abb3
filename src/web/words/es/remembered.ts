export const remembered = {
  "remembered.title": "Respuestas recordadas",
  "remembered.lead":
    "Lo que respondiste en «Por revisar» y pediste recordar. Decide por sí solo los pedidos que preguntan lo mismo.",
  "remembered.empty":
    "Aún no hay ninguna. Al responder en «Por revisar» puedes recordar la respuesta para los próximos pedidos.",
  "remembered.question": "Pregunta",
  "remembered.answer": "Respuesta",
  "remembered.who": "Quién",
  "remembered.used": "Usada",
  "remembered.uses": "{n, plural, =0 {en ningún pedido} one {en # pedido} other {en {count} pedidos}}",
  "remembered.by": "{name}, {date}",
  "remembered.nobody": "Alguien que ya no está",
  "remembered.of_profile": "{connection} · {profile}",
  "remembered.forget": "Olvidar",
  "remembered.forget.of": "Olvidar: {question}",
  "remembered.forget.title": "Olvidar la respuesta",
  "remembered.forget.body": "Los próximos pedidos volverán a preguntar. Lo ya decidido no cambia.",
  "remembered.more": "Ver más respuestas",
  "remembered.territory_review": "¿Cómo se facturan las ventas a otra parte de España?",
  "remembered.zero_rate_basis_missing": "¿Por qué hay líneas al 0 %?",
  "remembered.recipient_incomplete": "¿Cómo se facturan las ventas sin datos del cliente?",
  "remembered.customer_credit_review": "¿Qué es el saldo del cliente?",
} as const;
