import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startParcelCarrier, type ParcelCarrierOptions, type ParcelCarrierServer } from '@purlin/services/parcel-carrier/index.ts'
import { connectObjectStore, folderStore } from '#files'
import { aggregatorCarrier, type AggregatorSettings } from './aggregator-carrier.ts'
import { useCarrier } from './carrier-of-shop.ts'

export interface TestCarrier {
  server: ParcelCarrierServer
  /** The settings with which the shop reaches it. */
  settings: AggregatorSettings
}

/** For tests: an embedded carrier, in memory unless a file is named, at the speed of the calendar, with a folder for labels, connected to the shop at an address. */
export async function testCarrier(
  shopUrl: string,
  options: Pick<ParcelCarrierOptions, 'now' | 'fateOf' | 'isSilent'> & Partial<Pick<ParcelCarrierOptions, 'file'>>,
): Promise<TestCarrier> {
  connectObjectStore(folderStore(await mkdtemp(join(tmpdir(), 'labels-'))))
  const secrets = { apiKey: 'an-api-key', webhookSecret: 'a-webhook-secret' }
  const server = await startParcelCarrier({
    file: ':memory:',
    ...secrets,
    ...options,
    port: 0,
    webhookUrl: `${shopUrl}/webhooks/carrier`,
    speed: 1,
  })
  const settings = { ...secrets, url: `http://127.0.0.1:${server.port}` }
  useCarrier(aggregatorCarrier(settings))
  return { server, settings }
}
