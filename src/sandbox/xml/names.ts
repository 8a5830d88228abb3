/** Namespaces of the service, as its schemas name them. */
const BASE =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

export const SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
export const XML_SIGNATURE = "http://www.w3.org/2000/09/xmldsig#";
export const INFORMATION = `${BASE}SuministroInformacion.xsd`;
export const SUBMISSION = `${BASE}SuministroLR.xsd`;
export const SUBMISSION_ANSWER = `${BASE}RespuestaSuministro.xsd`;
export const QUERY = `${BASE}ConsultaLR.xsd`;
export const QUERY_ANSWER = `${BASE}RespuestaConsultaLR.xsd`;
