// A button on every command. Without scripts, or where the clipboard is closed, the text can still be selected.
for (const pre of document.querySelectorAll("pre.command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "copy";
  button.onclick = async () => {
    const code = pre.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
      setTimeout(() => (button.textContent = "copy"), 1500);
    } catch {
      getSelection().selectAllChildren(code);
    }
  };
  pre.append(button);
}
