/** The address that gets the events of these books. */
export const WEBHOOK_URL = "https://avisos.example/cuadre";
