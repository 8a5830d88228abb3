import { readdirSync, readFileSync } from "node:fs";
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlLibError,
  XsdValidator,
  xmlRegisterInputProvider,
} from "libxml2-wasm";
import { aeatFolder } from "./aeat-folder.ts";

const AEAT =
  "https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/";

/** The errors of the AEAT's XSDs about a SOAP message; empty when it is valid. */
export function xsdErrors(soapXml: string): string[] {
  try {
    const document = XmlDocument.fromString(soapXml);
    try {
      schema().validate(document);
      return [];
    } finally {
      document.dispose();
    }
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ message }) => message.trim());
    throw error;
  }
}

/** A message around one record element, written apart from the product's own. */
export function wrapRecord(recordXml: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header/><e:Body>
<l:RegFactuSistemaFacturacion xmlns:l="${AEAT}SuministroLR.xsd" xmlns:i="${AEAT}SuministroInformacion.xsd">
<l:Cabecera><i:ObligadoEmision><i:NombreRazon>EMPRESA DE PRUEBA SL</i:NombreRazon><i:NIF>89890001K</i:NIF>
</i:ObligadoEmision></l:Cabecera><l:RegistroFactura>${recordXml}</l:RegistroFactura>
</l:RegFactuSistemaFacturacion></e:Body></e:Envelope>`;
}

let compiled: XsdValidator | undefined;

function schema(): XsdValidator {
  compiled ??= compile();
  return compiled;
}

function compile(): XsdValidator {
  if (aeatFolder === undefined) throw new Error("the AEAT schemas are not here");
  const files: Record<string, Uint8Array> = {};
  for (const name of readdirSync(aeatFolder).filter((file) => file.endsWith(".xsd"))) {
    files[name] = readFileSync(`${aeatFolder}/${name}`);
  }
  // The only absolute import of the set: nothing may be fetched, so its address names the local copy.
  const signature = readFileSync(`${aeatFolder}/xmldsig-core-schema.xsd`);
  files["http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd"] = signature;
  xmlRegisterInputProvider(new XmlBufferInputProvider(files));
  const source = readFileSync(`${aeatFolder}/check-soap.xsd`);
  const document = XmlDocument.fromBuffer(source, { url: "check-soap.xsd" });
  return XsdValidator.fromDoc(document);
}
