import type { SignInTexts } from "../shapes/sign-in.ts"

export const signIn: SignInTexts = {
  title: "Iniciar sesión",
  text: "Su llave de acceso dice quién es. No hay que escribir nada.",
  passkey: "Entrar con una llave de acceso",
  provider: "Entrar con su proveedor de identidad",
  noScript:
    "Para entrar hace falta JavaScript: el navegador guarda su llave de acceso y solo un script puede pedirla. Para leer no hace falta.",
  unsupported: "Este navegador no crea llaves de acceso. Use uno más nuevo o su proveedor de identidad.",
  failed: "El navegador no dio ninguna llave de acceso. Inténtelo de nuevo.",
  goOn: "Continuar",
  goingOn: { title: "Un momento", text: "La página continúa sola." },
  over: { title: "Su sesión está cerrada", text: "Inicie sesión para seguir donde estaba." },
  join: {
    title: "Unirse al panel",
    text: (role, account) =>
      account === null
        ? `Se une a la instalación con la función ${role.toLowerCase()}.`
        : `Se une a ${account} con la función ${role.toLowerCase()}.`,
    name: "Su nombre",
    passkey: "Unirse con una nueva llave de acceso",
    why: "Una llave de acceso sustituye a la contraseña. Su dispositivo la guarda y pide su dedo, su cara o un PIN. " +
      "Lo que haga aquí se guarda con su nombre.",
    over: { title: "Este enlace ya no funciona", text: "Sirve una vez y por poco tiempo. Pida otro." },
    as: (name) => `Unirse como ${name}`
  },
  invite: {
    title: "Invitar a alguien",
    text: "Se une con un enlace, una vez. Por correo vale un día; entregado por usted, diez minutos.",
    role: "Función",
    email: "Correo electrónico (opcional)",
    go: "Crear el enlace",
    done: "El enlace está creado",
    once: "Después de esta página nadie lo vuelve a ver.",
    mailed: "También se envió por correo.",
    link: "Enlace"
  },
  confirm: {
    title: "Confirme que es usted",
    text: "Lo que va a hacer da poder, así que hace falta una prueba reciente de quién es.",
    passkey: "Confirmar con su llave de acceso",
    done: "Confirmado",
    again: "Hacerlo ahora"
  },
  refusals: {
    title: "No ha funcionado",
    unavailable: "El proveedor de identidad no responde. Inténtelo en un momento o use una llave de acceso.",
    stale: "Tardó demasiado o ya se usó. Inténtelo de nuevo.",
    unknown: "Nadie entra aquí con eso. Pida una invitación a un propietario.",
    invalid: "Eso no probó quién es. Inténtelo de nuevo.",
    taken: "Otra persona usa aquí esa cuenta del proveedor de identidad.",
    uninvited: "La invitación es para otra dirección de correo, o su proveedor de identidad no ha verificado la suya.",
    nowhere: "Ya no tiene ninguna función aquí. Pida una invitación a un propietario.",
    tooMany: "Hubo demasiados intentos desde su red. Inténtelo en una hora.",
    badName: "Escriba de 1 a 80 caracteres en una línea.",
    known: "Ya está aquí. Inicie sesión y abra el enlace de nuevo."
  },
  you: {
    title: "Usted",
    link: "Usted y sus cuentas",
    passkeys: "Llaves de acceso",
    passkeyName: "Nombre",
    defaultName: "Llave de acceso",
    addPasskey: "Añadir una llave de acceso",
    rename: "Cambiar el nombre",
    remove: "Quitar",
    lastWayIn: "Es su última manera de entrar. Añada antes otra llave de acceso.",
    made: "Creada",
    used: "Último uso",
    provider: "Proveedor de identidad",
    linked: "Puede entrar con su proveedor de identidad.",
    linkProvider: "Vincular su proveedor de identidad",
    sessions: "Dónde tiene sesión abierta",
    thisSession: "Este navegador",
    seen: "Último uso",
    revoke: "Cerrar allí la sesión",
    accounts: "Sus cuentas",
    here: "Está aquí",
    moveTo: "Ir allí",
    language: "Idioma",
    chooseLanguage: "Usar este idioma"
  }
}
