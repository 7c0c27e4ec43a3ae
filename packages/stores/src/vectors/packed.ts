/** The vectors of one namespace in this process's memory, each of length 1. */

/** Numbers of a block of memory: 64 KiB. Blocks are added as vectors come, so that no vector is ever copied to grow. */
const BLOCK = 16_384

/** The dot product of the query with as many numbers from `start` on, in the precision of double numbers. */
export const dot = (query: Float32Array, numbers: Float32Array, start = 0): number => {
  let sum = 0
  for (let n = 0; n < query.length; n++) sum += (query[n] ?? 0) * (numbers[start + n] ?? 0)
  return sum
}

export interface PackedVector {
  readonly id: string
  /** Unix milliseconds of its last upsert. */
  readonly at: number
  /** Of length 1. */
  readonly vector: Float32Array
}

export class PackedVectors {
  readonly dimensions: number
  /** Vectors in a block. */
  readonly #perBlock: number
  readonly #blocks: Array<Float32Array> = []
  readonly #places = new Map<string, number>()
  readonly #ids: Array<string> = []
  readonly #ats: Array<number> = []

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.#perBlock = Math.max(1, Math.floor(BLOCK / dimensions))
  }

  get size(): number {
    return this.#ids.length
  }

  /** Of memory. */
  get bytes(): number {
    return this.#blocks.length * this.#perBlock * this.dimensions * Float32Array.BYTES_PER_ELEMENT
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

  /** The numbers themselves, which the next `set` or `remove` may change. */
  vector(place: number): Float32Array {
    const start = (place % this.#perBlock) * this.dimensions
    return this.#block(place).subarray(start, start + this.dimensions)
  }

  set({ at, id, vector }: PackedVector): void {
    const knownPlace = this.#places.get(id)
    const place = knownPlace ?? this.#ids.length
    this.vector(place).set(vector)
    this.#places.set(id, place)
    this.#ids[place] = id
    this.#ats[place] = at
  }

  #block(place: number): Float32Array {
    return this.#blocks[Math.floor(place / this.#perBlock)] ??= new Float32Array(this.#perBlock * this.dimensions)
  }

  /** The last one takes its place. */
  remove(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    const last = this.#ids.length - 1
    const lastId = this.id(last)
    this.vector(place).set(this.vector(last))
    this.#ids[place] = lastId
    this.#ats[place] = this.at(last)
    this.#places.set(lastId, place)
    this.#places.delete(id)
    this.#ids.pop()
    this.#ats.pop()
  }

  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#ids.filter((one) => !ids.has(one))) this.remove(id)
  }

  /** The dot product of the query with one vector. */
  product(place: number, query: Float32Array): number {
    return dot(query, this.#block(place), (place % this.#perBlock) * this.dimensions)
  }
}

/** The vector with length 1; undefined for one that points nowhere. The largest number goes first, because squares overflow. */
export const unit = (vector: ReadonlyArray<number>): Float32Array | undefined => {
  const largest = vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  if (largest === 0) return undefined
  const length = Math.sqrt(vector.reduce((sum, x) => sum + (x / largest) ** 2, 0))
  return Float32Array.from(vector, (x) => x / largest / length)
}
