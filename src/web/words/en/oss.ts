export const oss = {
  "invoice.oss.tax": "{tax} of {country} {rate}",
  "invoice.oss.somewhere": "{tax} of the country of consumption {rate}",
  "invoice.oss.name": "VAT",
  "invoice.oss.northern_ireland": "Northern Ireland",
  "warning.oss_rate":
    "{rate} looks like a Spanish rate. Check that it is the one your shop charges in {country} (standard: {standard}).",
} as const;
