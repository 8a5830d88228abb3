export const company = {
  "company.tab.details": "Datos fiscales",
  "company.tab.representation": "Representación",
  "company.tab.authorisations": "Autorizaciones",
  "company.tab.people": "Personas",
  "company.fixed":
    "El NIF y el impuesto no se pueden cambiar: de ellos dependen las series y la cadena de registros.",
  "company.change.note": "Vale para las facturas que se emitan desde ahora; las ya emitidas no cambian.",
  "rep.standing": "Estado",
  "rep.state.withdrawn": "Revocada el {date}",
  "rep.connect_first":
    "Conecta antes tu tienda o tu programa: la representación se firma con la primera conexión.",
  "rep.read": "Leer el documento",
  "rep.document": "Documento de representación",
  "rep.document.elsewhere": "Este documento se guarda fuera de la consola; pídenoslo si lo necesitas.",
  "auth.title": "Autorizaciones de la AEAT para simplificadas",
  "auth.empty":
    "No hay ninguna. Si la AEAT te ha autorizado a emitir simplificadas por encima del límite, escríbela aquí.",
  "auth.add": "Añadir una autorización",
  "auth.add.button": "Guardar autorización",
  "auth.number": "Número",
  "auth.number.the": "el número de la autorización",
  "auth.limit": "Límite",
  "auth.registration": "Número de registro",
  "auth.registration.hint": "De 1 a 15 caracteres. Sin número de registro vale hasta 3.000,00 €.",
  "auth.registered": "Número de registro {number}",
  "auth.noreg": "Sin número de registro vale hasta 3.000,00 €.",
  "auth.up_to": "hasta {limit}",
  "auth.active": "Vigente desde el {date}",
  "auth.closed": "Del {from} al {to}",
  "auth.close": "Cerrar autorización",
  "auth.close.body":
    "Desde este momento no se emite ninguna simplificada al amparo de {number}. Las ya emitidas no cambian.",
  "declaration.version": "{name}, versión {version}, del {date}",
  "company.tab.verification": "Verificación",
  "verify.title": "Verificación de la empresa",
  "verify.state.unverified": "Sin verificar",
  "verify.state.in_review": "En revisión",
  "verify.state.verified": "Verificada",
  "verify.state.contested": "Reclamada por otra persona",
  "verify.means.unverified":
    "Nadie ha acreditado aún el NIF {nif}. Puedes probarlo todo, pero lo que emitas es una prueba sin validez: lo dice el documento, y no llega a la AEAT como factura.",
  "verify.means.in_review":
    "Hemos recibido tu documento sobre el NIF {nif} y lo está leyendo una persona. Mientras tanto, lo que emitas sigue siendo una prueba sin validez.",
  "verify.means.verified":
    "El NIF {nif} está acreditado y lo que emitas son facturas. Una conexión abierta antes de la verificación en producción queda para pruebas: abre otra para facturar.",
  "verify.means.contested":
    "Otra persona ha acreditado el NIF {nif}. Mientras lo resolvemos sigues facturando, 72 horas como máximo; escríbenos cuanto antes.",
  "verify.claim.waits": "Reclamaste esta empresa el {date}; estamos leyendo tu documento.",
  "verify.claim.contested": "Reclamaste esta empresa el {date}; lo resolvemos en 72 horas como máximo.",
  "verify.how": "Cómo se acredita",
  "verify.how.body":
    "Pide el texto, que vale un día y solo para ti y esta empresa. Ponlo en el documento de representación, haz que lo firme el titular o su representante y envíalo en PDF. Lo lee una persona.",
  "verify.text": "Texto que hay que firmar",
  "verify.text.ask": "Pedir el texto",
  "verify.file": "Documento firmado",
  "verify.file.hint": "PDF de 2 MB como máximo.",
  "verify.file.hint.certificate":
    "PDF de 2 MB como máximo, o la firma CAdES del texto hecha con AutoFirma y un certificado cualificado.",
  "verify.file.choose": "Elegir un archivo",
  "verify.file.none": "Elige antes el documento firmado.",
  "verify.send": "Enviar",
  "verify.claim": "Reclamar la empresa verificada",
} as const;
