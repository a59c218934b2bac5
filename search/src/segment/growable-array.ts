/** Typed arrays that grow: millions of numbers without a JavaScript object each. */

type Growable = Uint8Array | Uint16Array | Uint32Array | Float64Array

export interface Growing<T extends Growable> {
  length: number
  data: T
  push(value: number): void
  done(): T
}

function growing<T extends Growable>(make: (length: number) => T, start: number): Growing<T> {
  return {
    length: 0,
    data: make(start),
    push(value) {
      if (this.length === this.data.length) {
        const larger = make(this.data.length * 2)
        larger.set(this.data)
        this.data = larger
      }
      this.data[this.length++] = value
    },
    done() {
      return this.data.subarray(0, this.length) as T
    },
  }
}

export const growing32 = (start = 64) => growing((length) => new Uint32Array(length), start)
export const growing64 = (start = 64) => growing((length) => new Float64Array(length), start)
