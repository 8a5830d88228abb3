export const oss = {
  "invoice.oss.tax": "{tax} de {country} {rate}",
  "invoice.oss.somewhere": "{tax} del país de consumo {rate}",
  "invoice.oss.name": "IVA",
  "invoice.oss.northern_ireland": "Irlanda del Norte",
  "warning.oss_rate":
    "El {rate} parece un tipo español. Comprueba que sea el que tu tienda cobra en {country} (general: {standard}).",
} as const;
