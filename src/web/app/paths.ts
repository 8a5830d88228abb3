/** Every address of the console, once. */
export const paths = {
  home: "/",
  signIn: "/entrar",
  signUp: "/crear-cuenta",
  forgotten: "/contrasena",
  invitation: "/invitacion",
  confirmEmail: "/correo",
  restoreEmail: "/no-he-sido-yo",
  newCompany: "/empresa-nueva",
  security: "/seguridad",
  overview: (account: string) => `/e/${account}`,
  review: (account: string) => `/e/${account}/por-revisar`,
  reviewOne: (account: string, connection: string, order: string) =>
    `/e/${account}/por-revisar/${connection}/${encodeURIComponent(order)}`,
  invoices: (account: string) => `/e/${account}/facturas`,
  invoice: (account: string, invoice: string) => `/e/${account}/facturas/${invoice}`,
  newInvoice: (account: string, draft?: string) =>
    `/e/${account}/facturas/nueva${draft === undefined ? "" : `/${draft}`}`,
  drafts: (account: string) => `/e/${account}/facturas/borradores`,
  orders: (account: string) => `/e/${account}/pedidos`,
  order: (account: string, connection: string, order: string) =>
    `/e/${account}/pedidos/${connection}/${encodeURIComponent(order)}`,
  rectify: (account: string, invoice: string) => `/e/${account}/facturas/${invoice}/rectificar`,
  annul: (account: string, invoice: string) => `/e/${account}/facturas/${invoice}/rectificar?que=anular`,
  submission: (account: string) => `/e/${account}/envios`,
  connections: (account: string) => `/e/${account}/conexiones`,
  connection: (account: string, connection: string, tab = "estado") =>
    `/e/${account}/conexiones/${connection}/${tab}`,
  connect: (account: string) => `/e/${account}/conectar`,
  stores: (account: string, connection: string) => `/e/${account}/conectar/${connection}/tiendas`,
  consent: (account: string, connection: string) => `/e/${account}/conectar/${connection}/facturacion`,
  progress: (account: string, connection: string) => `/e/${account}/conectar/${connection}/progreso`,
  profiles: (account: string) => `/e/${account}/perfiles`,
  profile: (account: string, connection: string, profile: string) =>
    `/e/${account}/perfiles/${connection}/${profile}`,
  companyPages: (account: string) => `/e/${account}/empresa`,
  company: (account: string, tab = "datos") => `/e/${account}/empresa/${tab}`,
  activity: (account: string) => `/e/${account}/actividad`,
  declaration: "/declaracion",
} as const;
