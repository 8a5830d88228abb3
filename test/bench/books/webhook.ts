/** Where these books tell of their events. */
export const WEBHOOK_URL = "https://avisos.example/cuadre";
