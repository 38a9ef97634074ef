// Adds a copy button to every command. Without clipboard access the button selects the text instead.
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
