export const people = {
  "people.title": "Personas",
  "people.lead":
    "Quién puede entrar en la facturación de {legal_name}. Una asesoría lo ve todo y no cambia nada.",
  "people.column.person": "Persona",
  "people.column.role": "Acceso",
  "people.you": "Tú",
  "people.invite": "Invitar",
  "people.invite.title": "Invitar a una persona",
  "people.invite.email": "Correo electrónico",
  "people.invite.role": "Acceso",
  "people.invite.button": "Enviar la invitación",
  "people.invite.sent": "Invitación enviada a {email}. Caduca en siete días y solo vale una vez.",
  "people.invite.link": "También puedes darle este enlace:",
  "people.pending": "Invitación pendiente hasta el {date}",
  "people.withdraw": "Retirar la invitación",
  "people.role.to.owner": "Ofrecer la titularidad",
  "people.role.to.accountant": "Dejar en solo lectura",
  "people.remove": "Quitar el acceso",
  "people.remove.body":
    "{name} dejará de poder entrar en {legal_name} ahora mismo. Lo que hizo queda en Actividad.",
  "people.menu": "Acciones sobre {name}",
  "people.offered": "Titularidad ofrecida, pendiente de que la acepte",
  "people.offer.title": "Te ofrecen la titularidad",
  "people.offer.body":
    "Como titular de {legal_name} harás todo lo que se puede hacer en ella. Si eres titular de otras empresas verificadas, sus registros dirán que con este sistema facturan varias.",
  "people.offer.take": "Aceptar la titularidad",
  "people.offer.decline": "Rechazarla",
} as const;
