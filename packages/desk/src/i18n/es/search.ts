/** Words of the search. */
import type { SearchTexts } from "../shapes/search.ts"

export const search: SearchTexts = {
  title: "Búsqueda",
  label: "Buscar en todo",
  placeholder: "Buscar",
  button: "Buscar",
  found: (text) => `Búsqueda de «${text}»`,
  empty: "Busque un ID, un correo electrónico, un cliente, un nombre o el comienzo de sus palabras, un pedido, " +
    "un número de factura, las cuatro últimas cifras de una tarjeta, " +
    "una referencia de un proveedor, un importe como $12.50, un día o un mes.",
  none: "No se encontró nada.",
  refused: "Esto no se puede buscar",
  unfinished: "Parte de la búsqueda tardó demasiado. Puede haber más de lo que se muestra.",
  understoodAs: (readings) => `Buscado como: ${readings}.`,
  columns: { name: "Nombre", amount: "Importe", state: "Estado", created: "Creado", matched: "Encontrado por" },
  matches: {
    id: "ID",
    invoice_number: "número de factura",
    email: "correo electrónico",
    customer_reference: "referencia del cliente",
    provider_reference: "referencia del proveedor",
    order_reference: "pedido",
    name: "nombre",
    last_four: "cuatro últimas cifras",
    date: "fecha",
    amount: "importe",
    id_beginning: "comienzo de un ID"
  }
}
