export const company = {
  "company.tab.details": "Datos fiscales",
  "company.tab.representation": "Representación",
  "company.tab.authorisations": "Autorizaciones",
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
} as const;
