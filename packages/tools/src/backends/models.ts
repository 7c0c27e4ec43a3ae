/** What a caller is told where a model server gives no answer. */
import type { ModelRefused, ModelUnavailable } from "@svc/engines/openai/client"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"

export const ofModel = (error: ModelUnavailable | ModelRefused): InvalidRequest | FetchFailed =>
  error._tag === "ModelRefused"
    ? new InvalidRequest({ message: error.message })
    : new FetchFailed({ message: error.message, retryable: error.retryable })
