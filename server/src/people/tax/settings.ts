import { settings } from '#platform'
import { hmrcService } from './hmrc-service.ts'
import { operatorVatNumber } from './operator-country.ts'
import { isVatNumber, registerOf, type VatRegister } from './vat-number.ts'
import type { VatService } from './vat-service.ts'
import { viesService } from './vies-service.ts'

let services: Record<VatRegister, VatService> | undefined

/** The register that answers for numbers with this prefix, as the settings name it: the real one or the embedded one. */
export function vatService(register: VatRegister): VatService {
  services ??= fromSettings()
  return services[register]
}

/** Other registers for this process, or with nothing those of the settings again. For tests. */
export function useVatServices(others?: Record<VatRegister, VatService>): void {
  services = others
}

function fromSettings(): Record<VatRegister, VatService> {
  const { vat } = settings()
  return { vies: viesService({ url: vat.viesUrl }), hmrc: hmrcService({ url: vat.hmrcUrl, ...vat.hmrcClient }) }
}

/** Our own VAT number, for registers that give it a receipt: VIES to the member states, HMRC to Great Britain. */
export function requesterFor(register: VatRegister): string | null {
  const own = operatorVatNumber()
  return isVatNumber(own) && registerOf(own) === register ? own : null
}
