import { watch } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, sources } from './build.ts'
import { createStorefront, type Storefront, type StorefrontOptions } from './index.ts'

/**
 * A storefront that rebuilds itself when a source file changes, in about a second; reload the page to see it.
 * A failed build is reported, and the last good one stays.
 */
export async function createDevStorefront(options: StorefrontOptions): Promise<Storefront & { stop(): void }> {
  const app = join(import.meta.dirname, '../..')
  await ensureBuilt()
  let current = await createStorefront(options)
  let timer: NodeJS.Timeout | undefined
  const rebuild = async () => {
    try {
      const { built } = await ensureBuilt()
      if (!built) return
      current = await createStorefront(options)
      options.log.info({}, 'The pages are built anew')
    } catch (error) {
      options.log.error({ err: error }, 'The pages cannot be built')
    }
  }
  const watchers = sources
    .filter((source) => !source.endsWith('.json'))
    .map((source) =>
      watch(join(app, source), { recursive: true }, () => {
        clearTimeout(timer)
        timer = setTimeout(() => void rebuild(), 100)
      }),
    )
  return {
    tryHandle: (req, res) => current.tryHandle(req, res),
    handle: (req, res) => current.handle(req, res),
    purge: (tags) => current.purge(tags),
    get cache() {
      return current.cache
    },
    stop: () => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
