/** Reports progress of slow steps: one updating line on a terminal, occasional lines in a log. */
export interface Progress {
  step(what: string, done?: number, of?: number): void
  done(what: string): void
}

export function createProgress(out: NodeJS.WriteStream = process.stdout): Progress {
  const startedAt = Date.now()
  let lastWhat = ''
  let lastAt = 0
  const seconds = () => `${((Date.now() - startedAt) / 1000).toFixed(1)} s`.padStart(8)
  return {
    step: (what, done, of) => {
      const due = Date.now() - lastAt > (out.isTTY ? 100 : 5000)
      if (what === lastWhat && !due) return
      lastWhat = what
      lastAt = Date.now()
      const count = done === undefined ? '' : ` ${done.toLocaleString('en')}${of ? ` of ${of.toLocaleString('en')}` : ''}`
      if (out.isTTY) out.write(`\r\u001b[K${seconds()}  ${what}${count} …`)
      else out.write(`${seconds()}  ${what}${count} …\n`)
    },
    done: (what) => {
      lastWhat = ''
      out.write(`${out.isTTY ? '\r\u001b[K' : ''}${seconds()}  ${what}\n`)
    },
  }
}
