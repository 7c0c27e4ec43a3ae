/** Sound as 16-bit samples of one channel, and the WAV files that it comes in and leaves in. */

export interface Wave {
  readonly sampleRate: number
  readonly samples: Int16Array
}

const HEADER = 44
const BYTES_A_SAMPLE = 2
/** PCM, in the word of the format chunk. */
const PCM = 1
/** Samples below are silence: what a voice begins and ends with. */
const QUIET = 48

/** Little-endian, as WAV has them. */
export const bytesOf = (samples: Int16Array): Buffer => {
  const bytes = Buffer.alloc(samples.length * BYTES_A_SAMPLE)
  samples.forEach((sample, index) => bytes.writeInt16LE(sample, index * BYTES_A_SAMPLE))
  return bytes
}

const samplesOf = (bytes: Buffer): Int16Array =>
  Int16Array.from({ length: Math.floor(bytes.length / BYTES_A_SAMPLE) }, (_, index) => bytes.readInt16LE(index * BYTES_A_SAMPLE))

/** Undefined for what is no WAV of one channel and 16 bits. A server that streams does not know the length, and says too much. */
export const readWave = (file: Uint8Array): Wave | undefined => {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  if (bytes.length < HEADER || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WAVE") return undefined
  let sampleRate: number | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString("latin1", at, at + 4)
    const content = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4))
    if (name === "data") return sampleRate === undefined ? undefined : { sampleRate, samples: samplesOf(content) }
    if (name === "fmt ") {
      const isRead = content.length >= 16 && content.readUInt16LE(0) === PCM && content.readUInt16LE(2) === 1 &&
        content.readUInt16LE(14) === 8 * BYTES_A_SAMPLE
      if (!isRead) return undefined
      sampleRate = content.readUInt32LE(4)
    }
    at += 8 + content.length + content.length % 2
  }
  return undefined
}

export const writeWave = ({ sampleRate, samples }: Wave): Buffer => {
  const content = bytesOf(samples)
  const header = Buffer.alloc(HEADER)
  header.write("RIFF", 0)
  header.writeUInt32LE(HEADER - 8 + content.length, 4)
  header.write("WAVEfmt ", 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(PCM, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * BYTES_A_SAMPLE, 28)
  header.writeUInt16LE(BYTES_A_SAMPLE, 32)
  header.writeUInt16LE(8 * BYTES_A_SAMPLE, 34)
  header.write("data", 36)
  header.writeUInt32LE(content.length, 40)
  return Buffer.concat([header, content])
}

export const secondsOf = ({ sampleRate, samples }: Wave): number => samples.length / sampleRate

const withoutSilence = (samples: Int16Array): Int16Array => {
  const isLoud = (sample: number) => Math.abs(sample) > QUIET
  return samples.subarray(Math.max(0, samples.findIndex(isLoud)), samples.findLastIndex(isLoud) + 1)
}

/** One after the other, with so many seconds of silence between them. */
export const joinWaves = (waves: ReadonlyArray<Wave>, silence: number): Wave => {
  const sampleRate = waves[0]?.sampleRate ?? 0
  const spoken = waves.map(({ samples }) => withoutSilence(samples)).filter(({ length }) => length > 0)
  const pause = Math.round(silence * sampleRate)
  const samples = new Int16Array(spoken.reduce((sum, { length }) => sum + length, 0) + pause * Math.max(0, spoken.length - 1))
  let at = 0
  for (const piece of spoken) {
    samples.set(piece, at)
    at += piece.length + pause
  }
  return { sampleRate, samples }
}
