"""The pages, one file each; Streamlit runs each as a script."""
