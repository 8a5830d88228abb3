export const sending = {
  "resend.count":
    "{n, plural, one {# registro no quedó bien} other {# registros no quedaron bien}} en la AEAT por un fallo nuestro o del certificado.",
  "resend.body":
    "Se envían otra vez, con los datos del sistema tal como están ahora. Las facturas y sus importes no cambian. Si la causa sigue sin corregirse, la AEAT volverá a rechazarlos.",
  "resend.all": "Reenviar {n, plural, one {el registro} other {los #}}",
  "resend.done":
    "{n, plural, one {Sale otra vez # registro} other {Salen otra vez # registros}} en menos de un minuto.",
  "resend.refused":
    "{n, plural, one {# no se puede volver a enviar} other {# no se pueden volver a enviar}}: abre su factura para ver por qué.",
  "resend.nothing": "No queda ninguno por reenviar.",
  "correct.ours": "Lo arreglamos nosotros; no tienes que hacer nada.",
  "correct.settle": "Aclarar",
  "correct.open": "Ver y corregir",
  "correct.duplicate":
    "La AEAT ya tiene otro registro con este número: ábrela y di de quién es. Hasta entonces no se corrige nada.",
  "correct.duplicate.mark": "Número repetido",
  "verify.lead":
    "Se vuelve a calcular cada huella y se comprueba que ningún registro, número ni fecha falte o haya cambiado.",
  "verify.running": "Comprobados {n} registros…",
  "verify.ok":
    "{n, plural, one {# registro comprobado} other {# registros comprobados}}: huellas, enlaces, números y fechas correctos.",
  "verify.broken":
    "{n, plural, one {Hay una comprobación que no cuadra} other {Hay # comprobaciones que no cuadran}}. Escríbenos con este detalle.",
  "verify.chain":
    "{n, plural, one {Una vez} other {# veces, la primera}}, en el registro {position} de la cadena {chain}.",
  "verify.series":
    "{n, plural, one {Una vez} other {# veces, la primera}}, en la serie {series}, número {number}.",
  "verify.times": "{n, plural, one {Una vez} other {# veces}}.",
} as const;
