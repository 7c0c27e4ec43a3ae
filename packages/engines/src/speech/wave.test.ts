/** Sound comes back as it went, and has the pauses that are asked for. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { joinWaves, readWave, secondsOf, writeWave } from "./wave.ts"

const Sample = Schema.Int.check(Schema.isBetween({ minimum: -32_768, maximum: 32_767 }))

describe("a wave", () => {
  it.prop("is read as it was written", { samples: Schema.Array(Sample) }, ({ samples }) => {
    const wave = { sampleRate: 22_050, samples: Int16Array.from(samples) }
    assert.deepStrictEqual(readWave(writeWave(wave)), wave)
  })

  it("of a server that says it is endless ends where its bytes do", () => {
    const file = writeWave({ sampleRate: 8_000, samples: Int16Array.of(1, 2, 3) })
    file.writeUInt32LE(0xffffffff, 40)
    assert.deepStrictEqual(readWave(file)?.samples, Int16Array.of(1, 2, 3))
  })

  it("of two channels, of no header and of half a header is none", () => {
    const stereo = writeWave({ sampleRate: 8_000, samples: Int16Array.of(1, 2) })
    stereo.writeUInt16LE(2, 22)
    for (const file of [stereo, Buffer.alloc(100), stereo.subarray(0, 30)]) assert.isUndefined(readWave(file))
  })

  it.prop(
    "that lies about its length in any byte is read to its end, or not at all",
    { at: Schema.Natural, byte: Schema.Natural },
    ({ at, byte }) => {
      const file = writeWave({ sampleRate: 8_000, samples: Int16Array.of(1, 2, 3) })
      file[at % file.length] = byte % 256
      assert.isAtMost(readWave(file)?.samples.length ?? 0, 3)
    }
  )

  it("is joined without the silence of its pieces, and with the silence asked for", () => {
    const piece = { sampleRate: 1_000, samples: Int16Array.of(0, 3, 9_000, -9_000, 0, 1) }
    const silent = { sampleRate: 1_000, samples: new Int16Array(50) }
    const joined = joinWaves([piece, silent, piece], 0.004)
    assert.deepStrictEqual(Array.from(joined.samples), [9_000, -9_000, 0, 0, 0, 0, 9_000, -9_000])
    assert.strictEqual(secondsOf(joined), 0.008)
  })
})
