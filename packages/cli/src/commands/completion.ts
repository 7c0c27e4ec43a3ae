/** `svc completion`: what a shell completes, from the commands themselves. The script runs without `svc`. */
import { Console, Effect } from "effect"
import { Argument, Command, Completions } from "effect/cli"

/** `whole`: `svc` with all its commands. */
export const completionOf = (whole: Effect.Effect<Command.Command.Any>) =>
  Command.make(
    "completion",
    {
      shell: Argument.Literals("shell", ["bash", "zsh", "fish", "powershell"]).pipe(
        Argument.withDescription("The shell that is to complete")
      )
    },
    Effect.fnUntraced(function*({ shell }) {
      yield* Console.log(Completions.generate("svc", shell, Completions.fromCommand(yield* whole)))
    })
  ).pipe(
    Command.withDescription("Print what makes a shell complete commands, flags and their values"),
    Command.withExamples([
      { command: "source <(svc completion bash)", description: "In ~/.bashrc; for zsh in ~/.zshrc" },
      { command: "svc completion fish > ~/.config/fish/completions/svc.fish", description: "For fish" }
    ])
  )
