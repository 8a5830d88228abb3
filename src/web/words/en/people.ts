import type { people as spanish } from "../es/people.ts";

export const people: Record<keyof typeof spanish, string> = {
  "people.title": "People",
  "people.lead":
    "Who can enter the invoicing of {legal_name}. An accountant sees everything and changes nothing.",
  "people.count": "{count} of {most}, invitations counted",
  "people.column.person": "Person",
  "people.column.role": "Access",
  "people.you": "You",
  "people.invite": "Invite",
  "people.invite.title": "Invite a person",
  "people.invite.email": "E-mail",
  "people.invite.role": "Access",
  "people.invite.button": "Send the invitation",
  "people.invite.sent": "Invitation sent to {email}. It expires in seven days and works once.",
  "people.invite.link": "You can also give them this link:",
  "people.pending": "Invitation pending until {date}",
  "people.withdraw": "Take the invitation back",
  "people.role.to.owner": "Offer ownership",
  "people.role.to.accountant": "Make read only",
  "people.remove": "Remove access",
  "people.remove.body":
    "{name} will not be able to enter {legal_name} from now on. What they did stays in Activity.",
  "people.menu": "Actions on {name}",
  "people.offered": "Ownership offered, not taken yet",
  "people.offer.title": "You are offered ownership",
  "people.offer.body":
    "As an owner of {legal_name} you do everything that can be done there. If you own other verified companies, their records will say that several invoice through this system.",
  "people.offer.take": "Take ownership",
  "people.offer.decline": "Decline",
};
