/** Lists of the XSD of Facturae 3.2.2, with our codes for their members. A test compares both. */

/**
 * CountryType by ISO 3166-1 alpha-2. The list is older than CW, SX, BQ and SS, and lacks some territories:
 * AQ, AX, BL, BV, CC, CX, GS, HM, IO, MF, TF, UM.
 */
const COUNTRIES = pairs(
  "AD:AND AE:ARE AF:AFG AG:ATG AI:AIA AL:ALB AM:ARM AO:AGO AR:ARG AS:ASM AT:AUT AU:AUS AW:ABW AZ:AZE " +
    "BA:BIH BB:BRB BD:BGD BE:BEL BF:BFA BG:BGR BH:BHR BI:BDI BJ:BEN BM:BMU BN:BRN BO:BOL BR:BRA BS:BHS " +
    "BT:BTN BW:BWA BY:BLR BZ:BLZ CA:CAN CD:COD CF:CAF CG:COG CH:CHE CI:CIV CK:COK CL:CHL CM:CMR CN:CHN " +
    "CO:COL CR:CRI CU:CUB CV:CPV CY:CYP CZ:CZE DE:DEU DJ:DJI DK:DNK DM:DMA DO:DOM DZ:DZA EC:ECU EE:EST " +
    "EG:EGY EH:ESH ER:ERI ES:ESP ET:ETH FI:FIN FJ:FJI FK:FLK FM:FSM FO:FRO FR:FRA GA:GAB GB:GBR GD:GRD " +
    "GE:GEO GF:GUF GG:GGY GH:GHA GI:GIB GL:GRL GM:GMB GN:GIN GP:GLP GQ:GNQ GR:GRC GT:GTM GU:GUM GW:GNB " +
    "GY:GUY HK:HKG HN:HND HR:HRV HT:HTI HU:HUN ID:IDN IE:IRL IL:ISR IM:IMN IN:IND IQ:IRQ IR:IRN IS:ISL " +
    "IT:ITA JE:JEY JM:JAM JO:JOR JP:JPN KE:KEN KG:KGZ KH:KHM KI:KIR KM:COM KN:KNA KP:PRK KR:KOR KW:KWT " +
    "KY:CYM KZ:KAZ LA:LAO LB:LBN LC:LCA LI:LIE LK:LKA LR:LBR LS:LSO LT:LTU LU:LUX LV:LVA LY:LBY MA:MAR " +
    "MC:MCO MD:MDA ME:MNE MG:MDG MH:MHL MK:MKD ML:MLI MM:MMR MN:MNG MO:MAC MP:MNP MQ:MTQ MR:MRT MS:MSR " +
    "MT:MLT MU:MUS MV:MDV MW:MWI MX:MEX MY:MYS MZ:MOZ NA:NAM NC:NCL NE:NER NF:NFK NG:NGA NI:NIC NL:NLD " +
    "NO:NOR NP:NPL NR:NRU NU:NIU NZ:NZL OM:OMN PA:PAN PE:PER PF:PYF PG:PNG PH:PHL PK:PAK PL:POL PM:SPM " +
    "PN:PCN PR:PRI PS:PSE PT:PRT PW:PLW PY:PRY QA:QAT RE:REU RO:ROU RS:SRB RU:RUS RW:RWA SA:SAU SB:SLB " +
    "SC:SYC SD:SDN SE:SWE SG:SGP SH:SHN SI:SVN SJ:SJM SK:SVK SL:SLE SM:SMR SN:SEN SO:SOM SR:SUR ST:STP " +
    "SV:SLV SY:SYR SZ:SWZ TC:TCA TD:TCD TG:TGO TH:THA TJ:TJK TK:TKL TL:TLS TM:TKM TN:TUN TO:TON TR:TUR " +
    "TT:TTO TV:TUV TW:TWN TZ:TZA UA:UKR UG:UGA US:USA UY:URY UZ:UZB VA:VAT VC:VCT VE:VEN VG:VGB VI:VIR " +
    "VN:VNM VU:VUT WF:WLF WS:WSM YE:YEM YT:MYT ZA:ZAF ZM:ZMB ZW:ZWE",
);

/** CurrencyCodeType without the currencies that no longer exist. */
const CURRENCIES: ReadonlySet<string> = new Set(
  (
    "AFN ALL AMD AOA ARS AUD AWG AZN BBD BDT BHD BIF BMD BND BOB BRL BSD BWP BZD CAD CDF CHF CLP CNY COP " +
    "CRC CUP CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS " +
    "INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MNT " +
    "MOP MUR MVR MWK MXN MYR NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RUB RWF SAR SBD " +
    "SCR SEK SGD SHP SOS SRD SVC SYP SZL THB TJS TND TOP TRY TTD TWD TZS UAH USD UYU VND VUV WST XAF XCD " +
    "XOF YER ZAR"
  ).split(" "),
);

/** Province of a Spanish postcode, by its first two digits from 01; the XSD takes 20 characters. */
const PROVINCES = (
  "Álava,Albacete,Alicante,Almería,Ávila,Badajoz,Illes Balears,Barcelona,Burgos,Cáceres,Cádiz,Castellón," +
  "Ciudad Real,Córdoba,A Coruña,Cuenca,Girona,Granada,Guadalajara,Gipuzkoa,Huelva,Huesca,Jaén,León,Lleida," +
  "La Rioja,Lugo,Madrid,Málaga,Murcia,Navarra,Ourense,Asturias,Palencia,Las Palmas,Pontevedra,Salamanca," +
  "Sta. Cruz Tenerife,Cantabria,Segovia,Sevilla,Soria,Tarragona,Teruel,Toledo,Valencia,Valladolid,Bizkaia," +
  "Zamora,Zaragoza,Ceuta,Melilla"
).split(",");

/** ReasonDescriptionType by ReasonCodeType: the XSD fixes the words of each cause. */
const REASONS = {
  "01": "Número de la factura",
  "02": "Serie de la factura",
  "03": "Fecha expedición",
  "04": "Nombre y apellidos/Razón Social-Emisor",
  "05": "Nombre y apellidos/Razón Social-Receptor",
  "06": "Identificación fiscal Emisor/obligado",
  "07": "Identificación fiscal Receptor",
  "08": "Domicilio Emisor/Obligado",
  "09": "Domicilio Receptor",
  "10": "Detalle Operación",
  "11": "Porcentaje impositivo a aplicar",
  "12": "Cuota tributaria a aplicar",
  "13": "Fecha/Periodo a aplicar",
  "14": "Clase de factura",
  "15": "Literales legales",
  "16": "Base imponible",
  "80": "Cálculo de cuotas repercutidas",
  "81": "Cálculo de cuotas retenidas",
  "82": "Base imponible modificada por devolución de envases / embalajes",
  "83": "Base imponible modificada por descuentos y bonificaciones",
  "84": "Base imponible modificada por resolución firme, judicial o administrativa",
  "85": "Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso",
} as const;

export type ReasonCode = keyof typeof REASONS;

/** What a request may name as the cause of its rectification. */
export const REASON_CODES: readonly ReasonCode[] = codesOf(REASONS);

export function reasonWords(code: ReasonCode): string {
  return REASONS[code];
}

/** CountryCode; undefined if the XSD does not know the country. */
export function alpha3(country: string): string | undefined {
  return COUNTRIES.get(country);
}

export function isFacturaeCurrency(currency: string): boolean {
  return CURRENCIES.has(currency);
}

/** Undefined unless the postcode has five digits and begins with those of a province. */
export function provinceOf(postcode: string): string | undefined {
  return /^\d{5}$/.test(postcode) ? PROVINCES[Number(postcode.slice(0, 2)) - 1] : undefined;
}

function pairs(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(" ").map((pair) => [pair.slice(0, 2), pair.slice(3)]));
}

function codesOf<Code extends string>(table: Readonly<Record<Code, string>>): readonly Code[] {
  // Object.keys types the codes as strings.
  return Object.keys(table) as Code[];
}
