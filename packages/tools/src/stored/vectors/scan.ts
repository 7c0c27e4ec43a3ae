/**
 * The scan of packed vectors: dot products by the processor's vector unit, which takes a sixth of the time that JavaScript takes and which
 * JavaScript reaches by WebAssembly only. The module is assembled here, from its instructions, so that nothing is compiled or shipped.
 */

/** Bytes of a page of WebAssembly's memory. */
export const PAGE = 65_536

const END = 0x0b
const LOOP = [0x03, 0x40]
const I32 = 0x7f
const V128 = 0x7b
const i32Add = 0x6a
const i32LessUnsigned = 0x49
const f32Add = 0x92
const f32Store = [0x38, 2, 0]
/** To the loop that encloses it. */
const again = [0x0d, 0]

const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
const i32 = (value: number) => [0x41, value]

/** LEB128 without a sign. */
const leb = (value: number): ReadonlyArray<number> => value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb(value >>> 7)]

const simd = (code: number) => [0xfd, ...leb(code)]
const load = (offset: number) => [...simd(0), 4, ...leb(offset)]
const zeros = [...simd(12), ...Array.from({ length: 16 }, () => 0)]
const lane = (n: number) => [...simd(31), n]
const f32x4Add = simd(0xe4)
const f32x4Multiply = simd(0xe6)

const sized = (bytes: ReadonlyArray<number>): ReadonlyArray<number> => [...leb(bytes.length), ...bytes]
const section = (id: number, bytes: ReadonlyArray<number>) => [id, ...sized(bytes)]

const ascii = (text: string) => sized([...Buffer.from(text)])

// Parameters: where the vectors begin, the query, where the results go, where the vectors end, the bytes of one vector. Then where the scan
// stands in the query, where the vector ends, and two sums of four lanes each: the second does not wait for the first.
const [VECTOR, QUERY, RESULT, LAST, BYTES, AT, END_OF_VECTOR, ONE, OTHER] = [0, 1, 2, 3, 4, 5, 6, 7, 8]

const multiplied = (sum: number, offset: number) => [...get(sum), ...get(VECTOR), ...load(offset), ...get(AT), ...load(offset), ...f32x4Multiply, ...f32x4Add, ...set(sum)]

const body = [
  ...LOOP,
  ...get(QUERY), ...set(AT), ...get(VECTOR), ...get(BYTES), i32Add, ...set(END_OF_VECTOR),
  ...zeros, ...set(ONE), ...zeros, ...set(OTHER),
  ...LOOP,
  ...multiplied(ONE, 0), ...multiplied(OTHER, 16),
  ...get(AT), ...i32(32), i32Add, ...set(AT),
  ...get(VECTOR), ...i32(32), i32Add, ...tee(VECTOR), ...get(END_OF_VECTOR), i32LessUnsigned, ...again,
  END,
  ...get(RESULT), ...get(ONE), ...get(OTHER), ...f32x4Add, ...tee(ONE),
  ...lane(0), ...get(ONE), ...lane(1), f32Add, ...get(ONE), ...lane(2), f32Add, ...get(ONE), ...lane(3), f32Add, ...f32Store,
  ...get(RESULT), ...i32(4), i32Add, ...set(RESULT),
  ...get(VECTOR), ...get(LAST), i32LessUnsigned, ...again,
  END,
  END
]

const bytes = Uint8Array.from([
  ...Buffer.from("\0asm"), 1, 0, 0, 0,
  ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
  ...section(2, [1, ...ascii("env"), ...ascii("memory"), 2, 0, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...ascii("scan"), 0, 0]),
  ...section(10, [1, ...sized([2, 2, I32, 2, V128, ...body])])
])

const module = new WebAssembly.Module(bytes)

/**
 * Writes the dot product of the query with each vector from `vectors` up to `last` as a float4 behind one another from `results`. All are
 * places in the memory, in bytes. A vector takes `size` bytes, a multiple of 32 above none; at least one vector lies before `last`.
 */
export type Scan = (vectors: number, query: number, results: number, last: number, size: number) => void

const isScan = (value: unknown): value is Scan => typeof value === "function"

export const scanOf = (memory: WebAssembly.Memory): Scan => {
  const { scan } = new WebAssembly.Instance(module, { env: { memory } }).exports
  if (!isScan(scan)) throw new TypeError("the module of the scan exports no function")
  return scan
}
