/** The vectors of one namespace in this process's memory, behind one another, each of length 1. */
import { PAGE, type Scan, scanOf } from "./scan.ts"

/** The query stands first, then the products of one step of a scan, then the vectors. */
const RESULTS = 16_384
const STEP = 4_096
const VECTORS = RESULTS + STEP * 4

const LANES = 8

export interface Entry {
  readonly id: string
  /** Unix milliseconds of its last upsert. */
  readonly at: number
  /** Of length 1. */
  readonly vector: Float32Array
}

/** Numbers of a vector that has as many as the scan takes at once; those that are added are zero. */
const paddedTo = (dimensions: number): number => Math.ceil(dimensions / LANES) * LANES

export class Packed {
  readonly dimensions: number
  readonly #padded: number
  readonly #memory: WebAssembly.Memory
  readonly #scan: Scan
  readonly #places = new Map<string, number>()
  readonly #ids: Array<string> = []
  readonly #ats: Array<number> = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#padded = paddedTo(dimensions)
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(VECTORS / PAGE) })
    this.#scan = scanOf(this.#memory)
  }

  get size(): number {
    return this.#ids.length
  }

  /** Of memory. */
  get bytes(): number {
    return this.#memory.buffer.byteLength
  }

  id(place: number): string {
    return this.#ids[place] ?? ""
  }

  at(place: number): number {
    return this.#ats[place] ?? 0
  }

  place(id: string): number | undefined {
    return this.#places.get(id)
  }

  #start(place: number): number {
    return VECTORS + place * this.#padded * 4
  }

  #numbers(start: number, length: number): Float32Array {
    return new Float32Array(this.#memory.buffer, start, length)
  }

  /** The numbers themselves, which the next `set` or `remove` may change. */
  vector(place: number): Float32Array {
    return this.#numbers(this.#start(place), this.dimensions)
  }

  set({ at, id, vector }: Entry): void {
    const known = this.#places.get(id)
    const place = known ?? this.#ids.length
    const missing = this.#start(place + 1) - this.bytes
    // A quarter more than it has, so that growing takes no part in the cost of one vector.
    if (missing > 0) this.#memory.grow(Math.ceil(Math.max(missing, this.bytes / 4) / PAGE))
    this.vector(place).set(vector)
    this.#places.set(id, place)
    this.#ids[place] = id
    this.#ats[place] = at
  }

  /** The last one takes its place. */
  remove(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    const last = this.#ids.length - 1
    const moved = this.id(last)
    this.vector(place).set(this.vector(last))
    this.#ids[place] = moved
    this.#ats[place] = this.at(last)
    this.#places.set(moved, place)
    this.#places.delete(id)
    this.#ids.pop()
    this.#ats.pop()
  }

  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#ids.filter((one) => !ids.has(one))) this.remove(id)
  }

  /** How many steps a scan takes. One takes about a millisecond. */
  get steps(): number {
    return Math.ceil(this.size / STEP)
  }

  /** The products of the query with the vectors of one step, and the place of the first. To be read before the next step. */
  step(query: Float32Array, n: number): { readonly first: number; readonly products: Float32Array } {
    const first = n * STEP
    const count = Math.min(STEP, this.size - first)
    this.#numbers(0, this.#padded).fill(0).set(query)
    this.#scan(this.#start(first), 0, RESULTS, this.#start(first + count), this.#padded * 4)
    return { first, products: this.#numbers(RESULTS, count) }
  }
}

/** The dot product, in the precision of double numbers. */
export const dot = (one: Float32Array, other: Float32Array): number => {
  let sum = 0
  for (let n = 0; n < one.length; n++) sum += (one[n] ?? 0) * (other[n] ?? 0)
  return sum
}

/** The vector with length 1; undefined for one that points nowhere. The largest number goes first, because squares overflow. */
export const unit = (vector: ReadonlyArray<number>): Float32Array | undefined => {
  const largest = vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  if (largest === 0) return undefined
  const length = Math.sqrt(vector.reduce((sum, x) => sum + (x / largest) ** 2, 0))
  return Float32Array.from(vector, (x) => x / largest / length)
}
