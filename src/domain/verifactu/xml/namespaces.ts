// The services answer to `tike`, although the schemas are published under `tikeV1.0` and on another host.
const AEAT =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

export const SOAP_NAMESPACE = "http://schemas.xmlsoap.org/soap/envelope/";
export const SF_NAMESPACE = `${AEAT}SuministroInformacion.xsd`;
export const SFLR_NAMESPACE = `${AEAT}SuministroLR.xsd`;
export const SFLRC_NAMESPACE = `${AEAT}ConsultaLR.xsd`;
